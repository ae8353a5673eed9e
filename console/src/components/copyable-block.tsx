import { Button, Code, CopyButton, Stack } from '@mantine/core';

/** A text in its own block, with a button that copies it. */
export const CopyableBlock = ({ text, label, name }: { text: string; label: string; name: string }) => (
  <Stack gap={4} align="flex-start">
    <Code block w="100%" style={{ whiteSpace: 'pre-wrap' }} role="group" aria-label={name}>
      {text}
    </Code>
    <CopyButton value={text}>
      {({ copied, copy }) => (
        <Button size="xs" variant="default" onClick={copy}>
          {copied ? 'Copied' : label}
        </Button>
      )}
    </CopyButton>
  </Stack>
);
