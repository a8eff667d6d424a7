import { globSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'

/** A file of a release, or a symbolic link. */
export type Entry =
  | {
      /** Relative, with slashes. */
      readonly path: string
      readonly mode: 0o640 | 0o644 | 0o755
      /** The file that it is a copy of, or its content. */
      readonly source: string | Buffer
    }
  | { readonly path: string; readonly target: string }

/** Files of a release in the order of their paths. Their folders are implied. */
export type Tree = readonly Entry[]

/** A tree of files that are copied from `folder` to `to`. @param globs patterns relative to `folder` */
export function copyOf(folder: string, globs: readonly string[], to: string): Tree {
  return globSync([...globs], { cwd: folder, withFileTypes: true })
    .filter((file) => file.isFile())
    .map((file) => join(file.parentPath, file.name))
    .map((source) => textFile(posix.join(to, source.slice(folder.length + 1)), source))
}

/** @param source the file that it is a copy of, or its content */
export function textFile(path: string, source: string | Buffer): Entry {
  return { path, mode: 0o644, source }
}

/** @param source the file that it is a copy of, or its content */
export function programFile(path: string, source: string | Buffer): Entry {
  return { path, mode: 0o755, source }
}

/** The tree in the order of its paths. @throws {Error} if two entries have one path */
export function sorted(tree: Tree): Tree {
  const result = [...tree].sort((one, other) => (one.path < other.path ? -1 : 1))
  for (const [index, { path }] of result.entries())
    if (result[index + 1]?.path === path) throw new Error(`${path} is in the release twice.`)
  return result
}

/** The content of a file of a tree. */
export function contentOf(entry: Exclude<Entry, { target: string }>): Buffer {
  return typeof entry.source === 'string' ? readFileSync(entry.source) : entry.source
}

/** All folders of a tree, parents first. */
export function foldersOf(tree: Tree): string[] {
  const folders = new Set<string>()
  for (const { path } of tree)
    for (let folder = posix.dirname(path); folder !== '.'; folder = posix.dirname(folder)) folders.add(folder)
  return [...folders].sort()
}
