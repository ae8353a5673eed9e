import type { Child, FC } from 'hono/jsx';

/** A page with one thing to say. */
export const Message: FC<{ title: string; children?: Child }> = ({ title, children }) => (
  <section class="card narrow">
    <h1>{title}</h1>
    {children}
  </section>
);
