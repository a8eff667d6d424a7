import { createHash } from 'node:crypto'
import { contentOf, sorted, type Tree } from '../tree.ts'

/** A file of the program in a single executable. */
export interface PackedFile {
  readonly path: string
  readonly size: number
  readonly sha256: string
}

/** What a single executable unpacks. */
export interface PackedIndex {
  readonly version: string
  /** In the order of their contents. */
  readonly files: readonly PackedFile[]
}

/** Describes the files of a tree, and concatenates their contents. */
export function packFiles(tree: Tree, version: string): { index: PackedIndex; contents: Buffer } {
  const packed = sorted(tree).map((entry) => {
    if ('target' in entry)
      throw new Error(`${entry.path} is a link, which a single executable cannot contain.`)
    const content = contentOf(entry)
    const sha256 = createHash('sha256').update(content).digest('hex')
    return { content, file: { path: entry.path, size: content.length, sha256 } }
  })
  return {
    index: { version, files: packed.map(({ file }) => file) },
    contents: Buffer.concat(packed.map(({ content }) => content)),
  }
}
