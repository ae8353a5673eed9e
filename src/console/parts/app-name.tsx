import { useAsk } from '../ask/hooks.ts';
import { AppNamesDocument } from '../generated/operations.ts';
import { To } from './links.tsx';

/** An app by its name, or by its id as long as that is all that is known. */
export function AppName({ id }: { id: string }) {
  const name = useAsk(AppNamesDocument, {}).data?.apps.items.find((app) => app.id === id)?.name;
  return <To href={`/apps/${id}`}>{name ?? id}</To>;
}
