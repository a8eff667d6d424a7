import { posix } from 'node:path'
import { Visitor } from 'oxc-parser'
import type { SourceFile } from './project.ts'

/** One import of a file, however it is written: `import`, `export … from`, `import()`, `import('…').Type`. */
export interface Import {
  /** As it stands in the source. */
  readonly specifier: string
  /** The file it names, relative to the root; undefined if it names a package. */
  readonly file?: string
  /** Whether only types come through it. */
  readonly typeOnly: boolean
  /** Where it stands, in characters from the start of the file. */
  readonly offset: number
}

/** Lists the imports of a file. An `import()` of a computed name is not among them: nobody can tell what it names. */
export function importsOf({ path, parsed }: SourceFile): Import[] {
  const imports: Import[] = []
  const add = (specifier: string, offset: number, typeOnly: boolean) => {
    const relative = specifier.startsWith('.')
    const file = relative ? { file: posix.join(posix.dirname(path), specifier) } : {}
    imports.push({ specifier, ...file, offset, typeOnly })
  }
  new Visitor({
    ImportDeclaration: (node) => add(node.source.value, node.start, node.importKind === 'type'),
    ExportAllDeclaration: (node) => add(node.source.value, node.start, node.exportKind === 'type'),
    ExportNamedDeclaration: (node) => {
      if (node.source !== null) add(node.source.value, node.start, node.exportKind === 'type')
    },
    ImportExpression: ({ source, start }) => {
      if (source.type === 'Literal' && typeof source.value === 'string') add(source.value, start, false)
    },
    TSImportType: (node) => add(node.source.value, node.start, true),
  }).visit(parsed.program)
  return imports
}
