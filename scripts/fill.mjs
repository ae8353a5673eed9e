// `npm run fill`: generates rows for measurements. See src/local/fill/main.ts.
import './build.mjs';

await import('../dist/local/fill/main.js');
