import { Client, cacheExchange, fetchExchange, mapExchange } from 'urql';
import { toProblem } from '../texts/problem.ts';

/** @param onSignedOut called when the api reports that the session is missing or has ended. */
export const createClient = (onSignedOut: () => void): Client =>
  new Client({
    url: '/api/admin/graphql',
    preferGetMethod: false,
    fetchOptions: { credentials: 'same-origin' },
    requestPolicy: 'cache-and-network',
    exchanges: [
      cacheExchange,
      mapExchange({
        onError: (error) => {
          if (toProblem(error).code === 'UNAUTHENTICATED') onSignedOut();
        },
      }),
      fetchExchange,
    ],
  });
