import { type FileHandle, open } from 'node:fs/promises';
import { ServiceError } from '../basics/errors.ts';

/**
 * Reads a file that an option names. The errors do not repeat its path.
 * @param maxBytes a longer file is refused without reading the rest of it.
 * @throws ServiceError `BAD_USER_INPUT`
 */
export async function readSmallFile(option: string, path: string, maxBytes: number): Promise<Buffer> {
  let file: FileHandle | undefined;
  try {
    file = await open(path);
    const content = Buffer.alloc(maxBytes + 1);
    let length = 0;
    for (let bytes = -1; bytes !== 0 && length < content.length; length += bytes) {
      ({ bytesRead: bytes } = await file.read(content, length));
    }
    if (length > maxBytes) throw new ServiceError('BAD_USER_INPUT', `--${option} must be at most ${maxBytes} bytes.`);
    return content.subarray(0, length);
  } catch (error) {
    if (error instanceof ServiceError) throw error;
    throw new ServiceError('BAD_USER_INPUT', `--${option} is not a file that can be read.`);
  } finally {
    await file?.close();
  }
}
