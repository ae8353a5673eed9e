import { DataList, Paper, Stack, Title } from '@mantine/core';
import type { ReactNode } from 'react';

type Details = readonly (readonly [name: string, value: ReactNode])[];

interface DetailsListProps {
  readonly of: Details;
  /** In pixels. */
  readonly labelWidth?: number;
  /** Shows each name above its value. */
  readonly isNarrow?: boolean;
}

/** A list of names and values. Entries without a value are left out. */
export const DetailsList = ({ of, labelWidth = 150, isNarrow = false }: DetailsListProps) => (
  <DataList labelWidth={labelWidth} gap={isNarrow ? 8 : 'xs'} orientation={isNarrow ? 'vertical' : 'horizontal'}>
    {of.map(
      ([name, value]) =>
        value !== null &&
        value !== undefined &&
        value !== false && (
          <DataList.Item key={name}>
            <DataList.ItemLabel>{name}</DataList.ItemLabel>
            <DataList.ItemValue>{value}</DataList.ItemValue>
          </DataList.Item>
        ),
    )}
  </DataList>
);

/** The details at the side of a page. */
export const DetailsPanel = ({ of }: { of: Details }) => (
  <Paper withBorder p="md" component="section">
    <Stack gap="sm">
      <Title order={2} size="h4">
        Details
      </Title>
      <DetailsList of={of} isNarrow />
    </Stack>
  </Paper>
);
