import { Client, cacheExchange, fetchExchange, mapExchange } from 'urql';
import { problemOf } from '../words/problem.ts';

/** @param onSignedOut called when the api says that there is no session, or no longer. */
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
          if (problemOf(error).code === 'UNAUTHENTICATED') onSignedOut();
        },
      }),
      fetchExchange,
    ],
  });
