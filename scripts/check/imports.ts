import { posix } from 'node:path'
import { Visitor } from 'oxc-parser'
import type { SourceFile } from './project.ts'

/** An import in any form: `import`, `export … from`, `import()` or `import('…').Type`. */
export interface Import {
  /** The specifier as written in the source. */
  readonly specifier: string
  /** The imported file relative to the root; undefined if the specifier is a package. */
  readonly file?: string
  readonly typeOnly: boolean
  /** Position in characters from the start of the file. */
  readonly offset: number
}

/** Lists the imports of a file, except `import()` with a computed specifier. */
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
