import { DataList } from '@mantine/core';
import type { ReactNode } from 'react';

/** A list of names and values. Entries without a value are left out. */
export const DetailsList = ({ of }: { of: readonly (readonly [name: string, value: ReactNode])[] }) => (
  <DataList labelWidth={150} gap="xs">
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
