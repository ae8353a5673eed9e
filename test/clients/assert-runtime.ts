// The test runner starts processes of its own: this one must be of the runtime that is tested.
const { versions } = process;
const name = versions.bun !== undefined ? 'bun' : versions.deno !== undefined ? 'deno' : 'node';
const actual = `${name} ${versions[name]}`;
const expected = process.env.EXPECTED_RUNTIME ?? '';
if (!actual.startsWith(expected)) throw new Error(`The tests run in ${actual} and not in ${expected}.`);
