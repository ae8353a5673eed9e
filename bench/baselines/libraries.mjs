// The bare program with every library of the api loaded: the baseline for time to start and for memory.
for (const name of process.env.LIBRARIES.split(' ')) await import(name);
await import('./bare.mjs');
