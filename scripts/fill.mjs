// `npm run fill`: rows to measure with, made up. See src/local/fill/main.ts.
import './build.mjs';

await import('../dist/local/fill/main.js');
