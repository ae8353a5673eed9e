// `npm start`: runs the whole service on this machine. See src/local/main.ts.
import './build.mjs';

await import('../dist/local/main.js');
