import { readFileSync } from 'node:fs';
import path from 'node:path';

/** The code generation writes the texts here. The build copies them, so `dist` has them in the same place. */
const read = (name: string) => readFileSync(path.join(import.meta.dirname, '..', '..', 'generated', name), 'utf8');

/** schema.graphql, word for word. */
export const callersSchema = read('schema.graphql');

/** admin.graphql, each operation's description begun with its role, and the scalars and enums of schema.graphql. */
export const adminSchema = read('admin.graphql');
