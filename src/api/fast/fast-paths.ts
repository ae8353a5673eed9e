import type { CreateGuess } from '../graphql/authorization.ts';
import type { FastGraphql, GraphqlOptions } from '../graphql/contract.ts';
import type { AnswerDirectly } from '../http/server.ts';
import { Compiler } from './compile.ts';
import { answerDirectly } from './direct-http.ts';
import { createGuess } from './known-callers.ts';
import { KnownDocuments } from './known-documents.ts';

/** What replaces parts of the plain path. All are missing if `FAST_PATHS` is false. */
export interface FastPaths {
  readonly createGuess: CreateGuess;
  readonly createFast: NonNullable<GraphqlOptions['createFast']>;
  readonly answerDirectly: AnswerDirectly;
}

export const fastPaths: FastPaths = {
  createGuess,
  createFast: (preparation): FastGraphql => {
    const documents = new KnownDocuments();
    const compiler = new Compiler(preparation);
    return {
      find: (text) => documents.find(text),
      keep: (callerId, text, document) => documents.keep(callerId, text, document),
      prepare: (schema) => compiler.prepare(schema),
      run: (document, args, coerced, interpret) => compiler.run(document, args, coerced, interpret),
    };
  },
  answerDirectly,
};
