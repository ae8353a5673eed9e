/** An object for all tests of a file. Each use of it goes to the one that the last hook made. */
export const ofTheMoment = <T extends object>(find: () => T): T =>
  new Proxy((() => undefined) as unknown as T, {
    get: (_, name) => Reflect.get(find(), name),
    apply: (_, self, args) => Reflect.apply(find() as never, self, args),
  });
