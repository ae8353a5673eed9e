// `npm run fill`: generates rows for measurements. See bench/fill/main.ts.
import '../scripts/codegen.mjs';
import { loadSource } from './load-source.mjs';

await loadSource('bench/fill/main.ts');
