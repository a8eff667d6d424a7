import { link, open, rename, unlink } from 'node:fs/promises'

/** How file systems without links refuse one: exFAT and FAT, and shares of a network or of a virtual machine. */
const NO_LINKS: readonly unknown[] = ['EPERM', 'EIO', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS']

/**
 * Renames a file unless there is one of the new name: unlike a renamed file, a linked one replaces none. On a file system
 * without links, the new name is an empty file for a moment.
 * @throws Error with the code `EEXIST` if there is one
 */
export async function renameNew(from: string, to: string, linkFile = link): Promise<void> {
  try {
    await linkFile(from, to)
    await unlink(from)
  } catch (error) {
    if (!NO_LINKS.includes((error as NodeJS.ErrnoException).code)) throw error
    const reserved = await open(to, 'wx', 0o600)
    await reserved.close()
    await rename(from, to)
  }
}
