// `npm run fill`: generates rows for measurements. See bench/fill/main.ts.
import '../scripts/build.mjs';

await import('../dist/local/fill/main.js');
