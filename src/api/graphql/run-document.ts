import { type ExecutionArgs, type ExecutionResult, execute } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import type { FastGraphql } from './contract.ts';
import type { Document } from './document.ts';
import type { Unguarded } from './guard.ts';
import type { Preparation } from './preparation.ts';
import { coerceVariables } from './variables.ts';

/** Validation stops after this many errors. For each error GraphQL searches for similar names, which takes time. */
const MAX_ERRORS = 5;

/**
 * Takes over three steps of Yoga's for the document that admission has put into the context: it is parsed already, validated
 * once, and run only with variables that fit it. graphql-js runs it: Yoga's own interpreter takes a list's item with the alias
 * `then` for a promise, and fails.
 */
export function createDocumentPlugin(
  preparation: Preparation,
  fast: Pick<FastGraphql, 'run'> | undefined,
): Plugin<Unguarded> {
  return {
    onParse: ({ context, setParsedDocument }) => setParsedDocument(findDocument(context).node),
    onValidate: ({ context, setResult, setValidationFn, validateFn }) => {
      const document = findDocument(context);
      if (document.errors !== undefined) return setResult([...document.errors]);
      setValidationFn((schema, node, rules) => {
        const errors = preparation.spend(context.exchange.callerId, () =>
          validateFn(schema, node, rules, { maxErrors: MAX_ERRORS }),
        );
        document.errors = errors;
        return errors;
      });
    },
    onExecute: ({ args, setExecuteFn }) => {
      const context = args.contextValue as Unguarded;
      const document = findDocument(context);
      const interpret = async (given: ExecutionArgs) =>
        document.isIntrospection
          ? await preparation.spend(context.exchange.callerId, () => execute(given))
          : await execute(given);
      setExecuteFn((given) => run(document, given, interpret, fast));
    },
  };
}

function findDocument(context: unknown): Document {
  const { document } = context as Unguarded;
  if (document === undefined) throw new Error('A document was not admitted.');
  return document;
}

function run(
  document: Document,
  args: ExecutionArgs,
  interpret: (args: ExecutionArgs) => Promise<ExecutionResult>,
  fast: Pick<FastGraphql, 'run'> | undefined,
): Promise<ExecutionResult> | ExecutionResult {
  const { schema, operationName } = args;
  const { operation } = document;
  // The interpreter reports a name that the operation does not have.
  const isNamed = (operationName ?? undefined) !== undefined && operationName !== operation?.name?.value;
  if (isNamed) return interpret(args);
  const coerced = coerceVariables(schema, operation, args.variableValues ?? {});
  if ('error' in coerced) return { errors: [coerced.error] };
  return fast?.run(document, args, coerced.values, interpret) ?? interpret(args);
}
