// `npm start`: runs the whole service on this machine. See local/src/main.ts.
import './build.mjs';

await import('../local/dist/main.js');
