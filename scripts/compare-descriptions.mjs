/** Texts for people change often, and mean nothing to a program. */
const PROSE = new Set(['description', 'enumDescriptions', 'enumDeprecated']);

/**
 * Compares two of Google's descriptions of an API: the methods that list these resources, and all that their answers hold.
 * @param {object} before
 * @param {object} after
 * @param {readonly string[]} resources
 * @returns {string[]} one line for each difference
 */
export function compareDescriptions(before, after, resources) {
  const lines = [];
  const compare = (one, other, at) => {
    if (JSON.stringify(one) === JSON.stringify(other)) return;
    const areObjects = [one, other].every(
      (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
    );
    if (!areObjects) return void lines.push(`${at}: ${say(one)} -> ${say(other)}`);
    for (const name of new Set([...Object.keys(one), ...Object.keys(other)])) {
      if (!PROSE.has(name)) compare(one[name], other[name], `${at}.${name}`);
    }
  };
  const used = new Set();
  const collect = (description, value) => {
    if (typeof value !== 'object' || value === null) return;
    if (typeof value.$ref === 'string' && !used.has(value.$ref)) {
      used.add(value.$ref);
      collect(description, description.schemas[value.$ref]);
    }
    for (const member of Object.values(value)) collect(description, member);
  };
  for (const name of resources) {
    const methods = [before, after].map(({ resources: all }) => all[name]?.methods?.list);
    compare(...methods, `${name}.list`);
    collect(before, methods[0]?.response);
    collect(after, methods[1]?.response);
  }
  for (const name of [...used].sort()) compare(before.schemas[name], after.schemas[name], name);
  compare(before.baseUrl, after.baseUrl, 'baseUrl');
  compare(before.parameters, after.parameters, 'parameters');
  return lines;
}

const say = (value) => (value === undefined ? 'nothing' : JSON.stringify(value));
