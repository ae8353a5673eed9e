// Renders test/long-tests.md from test/kit/long-tests.ts.

/** @param tests the long tests by their file, with what each finds and how long it takes */
export function renderLongTests(tests) {
  const rows = Object.entries(tests)
    .sort(([, one], [, other]) => other.seconds - one.seconds)
    .map(([file, { finds, seconds }]) => {
      const short = file.replace(/^test\//, '');
      return `| [${short.replace(/\.test\.ts$/, '')}](${short}) | ${finds} | ${seconds} |\n`;
    });
  const total = Object.values(tests).reduce((sum, { seconds }) => sum + seconds, 0);
  return `# Long tests

**Use this page** to see what \`npm run test:long\` finds, and how long each file takes. [kit/long-tests.ts](kit/long-tests.ts) has the
list; \`npm run codegen\` writes this page. Seconds are of one file alone on two idle cores; five files run at a time.

| File | It finds | Seconds |
|---|---|---|
${rows.join('')}| ${rows.length} files | | ${total} |
`;
}
