/** Makes the browser download a file of these parts, one after another. */
export function download(name: string, parts: readonly string[], type = 'application/json'): void {
  const url = URL.createObjectURL(new Blob([...parts], { type }));
  const link = Object.assign(document.createElement('a'), { href: url, download: name });
  link.click();
  URL.revokeObjectURL(url);
}
