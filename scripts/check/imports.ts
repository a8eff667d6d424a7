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
export function importsOf({ path, text, parsed }: SourceFile): Import[] {
  const { staticImports, staticExports, dynamicImports } = parsed.module
  const importOf = (specifier: string, offset: number, typeOnly: boolean): Import => {
    const file = specifier.startsWith('.') ? { file: posix.join(posix.dirname(path), specifier) } : {}
    return { specifier, ...file, offset, typeOnly }
  }
  const imports = [
    ...staticImports.map(({ start, moduleRequest }) =>
      importOf(moduleRequest.value, start, text.startsWith('import type ', start)),
    ),
    ...staticExports.flatMap(({ start, entries: [entry] }) =>
      // An export of an imported name has the import itself.
      entry?.moduleRequest == null || text.startsWith('import', start)
        ? []
        : [importOf(entry.moduleRequest.value, start, text.startsWith('export type ', start))],
    ),
    ...dynamicImports.flatMap(({ start, moduleRequest }) => {
      const specifier = /^(["'])(.*)\1$/.exec(text.slice(moduleRequest.start, moduleRequest.end))?.[2]
      return specifier === undefined ? [] : [importOf(specifier, start, false)]
    }),
  ]
  // Only the tree of the file has these, which takes time.
  if ((text.match(/\bimport\(/g)?.length ?? 0) > dynamicImports.length)
    new Visitor({
      TSImportType: ({ source, start }) => imports.push(importOf(source.value, start, true)),
    }).visit(parsed.program)
  return imports
}
