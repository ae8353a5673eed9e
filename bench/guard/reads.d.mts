import type { Stage } from './stage.ts';

export declare const isRead: (name: string) => boolean;
export declare const openReads: () => Promise<Stage>;
