import path from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from '../../local/src/services.ts';

type Compare = (before: object, after: object, resources: readonly string[]) => string[];
const script = path.join(ROOT, 'scripts', 'compare-descriptions.mjs');
const { compareDescriptions }: { compareDescriptions: Compare } = await import(script);

/** Two resources, of which we use the first. */
const description = () => ({
  baseUrl: 'https://api.example/',
  parameters: { alt: { type: 'string', enum: ['json'] } },
  resources: {
    videos: {
      methods: {
        list: {
          path: 'v3/videos',
          parameters: { part: { required: true, repeated: true, description: 'Which parts.' } },
          response: { $ref: 'VideoList' },
        },
        insert: { path: 'v3/videos', parameters: {} },
      },
    },
    search: { methods: { list: { path: 'v3/search', parameters: {}, response: { $ref: 'SearchList' } } } },
  },
  schemas: {
    VideoList: { properties: { items: { type: 'array', items: { $ref: 'Video' } } } },
    Video: { properties: { views: { type: 'string', format: 'uint64', description: 'How often it was seen.' } } },
    SearchList: { properties: {} },
  } as Record<string, { properties: Record<string, object> }>,
});

const compare = (change: (after: ReturnType<typeof description>) => void): string[] => {
  const after = description();
  change(after);
  return compareDescriptions(description(), after, ['videos']);
};

test('the same description, other prose, and a change of unused parts are no difference', () => {
  expect(compare(() => {})).toEqual([]);
  expect(
    compare(({ schemas }) => Object.assign(schemas.Video?.properties.views ?? {}, { description: 'New.' })),
  ).toEqual([]);
  expect(compare(({ schemas }) => Object.assign(schemas, { SearchList: { properties: { kind: {} } } }))).toEqual([]);
  expect(compare(({ resources }) => Object.assign(resources.videos.methods.insert, { path: 'v4' }))).toEqual([]);
});

test.each<[string, Parameters<typeof compare>[0], string]>([
  [
    'another type of a field that an answer holds',
    ({ schemas }) => Object.assign(schemas.Video?.properties.views ?? {}, { type: 'integer' }),
    'Video.properties.views.type: "string" -> "integer"',
  ],
  [
    'a field that is gone',
    ({ schemas }) => delete schemas.Video?.properties.views,
    'Video.properties.views: {"type":"string","format":"uint64","description":"How often it was seen."} -> nothing',
  ],
  [
    'a parameter that is now required',
    ({ resources }) => Object.assign(resources.videos.methods.list.parameters, { id: { required: true } }),
    'videos.list.parameters.id: nothing -> {"required":true}',
  ],
  [
    'another path',
    ({ resources }) => Object.assign(resources.videos.methods.list, { path: 'v4/videos' }),
    'videos.list.path: "v3/videos" -> "v4/videos"',
  ],
  [
    'another host',
    (after) => Object.assign(after, { baseUrl: 'https://new.example/' }),
    'baseUrl: "https://api.example/" -> "https://new.example/"',
  ],
])('%s is one', (_what, change, line) => {
  expect(compare(change)).toEqual([line]);
});
