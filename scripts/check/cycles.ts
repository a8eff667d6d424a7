import { posix } from 'node:path'
import { importsOf } from './imports.ts'
import { type Problem, type Project, problemAt, type SourceFile } from './project.ts'

/** Files by path, each with the files it imports and the offset of the first import of each. */
type ImportGraph = Map<string, Map<string, number>>

/**
 * Finds import cycles among the files of `packages/<name>/src`, type-only imports included. Reports one shortest
 * cycle for each group of files that import each other.
 */
export function checkCycles(project: Project): Problem[] {
  const sources = project.sources.filter(({ path }) => /^packages\/[^/]+\/src\//.test(path))
  const graph = importGraph(project, sources)
  const textOf = new Map(sources.map(({ path, text }) => [path, text]))
  return stronglyConnected(graph).flatMap((group) => {
    const [first = '', second = '', ...rest] = shortestCycle(graph, group)
    const offset = graph.get(first)?.get(second) ?? 0
    const cycle = [first, second, ...rest].join(' → ')
    const size = group.length > rest.length + 1 ? ` (${group.length} files import each other)` : ''
    return [problemAt(first, textOf.get(first) ?? '', offset, `Import cycle${size}: ${cycle}.`)]
  })
}

function importGraph(project: Project, sources: readonly SourceFile[]): ImportGraph {
  const graph: ImportGraph = new Map(sources.map(({ path }) => [path, new Map()]))
  const entries = packageEntries(project)
  for (const source of sources) {
    for (const { specifier, file, offset } of importsOf(source)) {
      const target = file ?? entries.get(specifier)
      if (target === undefined || !graph.has(target)) continue
      const targets = graph.get(source.path)
      if (targets?.has(target) === false) targets.set(target, offset)
    }
  }
  return graph
}

/** The files that the workspace packages export, by the specifier that imports them. */
function packageEntries(project: Project): Map<string, string> {
  const entries = new Map<string, string>()
  for (const path of project.paths.filter((path) => /^packages\/[^/]+\/package\.json$/.test(path))) {
    const { name, exports = {} } = JSON.parse(project.read(path)) as {
      name: string
      exports?: Record<string, string>
    }
    for (const [subpath, target] of Object.entries(exports))
      entries.set(posix.join(name, subpath), posix.join(posix.dirname(path), target))
  }
  return entries
}

/** Groups of two or more files that all import each other, directly or not (Tarjan's algorithm). */
function stronglyConnected(graph: ImportGraph): string[][] {
  const groups: string[][] = []
  const indexes = new Map<string, number>()
  const lowest = new Map<string, number>()
  const stack: string[] = []
  const onStack = new Set<string>()
  const visit = (node: string): number => {
    let low = indexes.size
    const index = low
    indexes.set(node, index)
    stack.push(node)
    onStack.add(node)
    for (const target of graph.get(node)?.keys() ?? []) {
      if (!indexes.has(target)) low = Math.min(low, visit(target))
      else if (onStack.has(target)) low = Math.min(low, lowest.get(target) ?? indexes.get(target) ?? low)
    }
    lowest.set(node, low)
    if (low === index) {
      const group = stack.splice(stack.indexOf(node))
      for (const member of group) onStack.delete(member)
      if (group.length > 1 || graph.get(node)?.has(node)) groups.push(group.sort())
    }
    return low
  }
  for (const node of graph.keys()) if (!indexes.has(node)) visit(node)
  return groups
}

/** A shortest cycle within the group, with its first file repeated at the end. */
function shortestCycle(graph: ImportGraph, group: string[]): string[] {
  const members = new Set(group)
  let shortest: string[] | undefined
  for (const start of group) {
    const cycle = pathBack(graph, members, start)
    if (cycle !== undefined && (shortest === undefined || cycle.length < shortest.length)) shortest = cycle
  }
  return shortest ?? []
}

/** The shortest path from a file back to itself (breadth-first). */
function pathBack(graph: ImportGraph, members: Set<string>, start: string): string[] | undefined {
  const previous = new Map<string, string>()
  const queue = [start]
  for (const node of queue) {
    for (const target of graph.get(node)?.keys() ?? []) {
      if (target === start) {
        const path = [start]
        for (let at: string | undefined = node; at !== undefined; at = previous.get(at)) path.unshift(at)
        return path
      }
      if (!members.has(target) || previous.has(target)) continue
      previous.set(target, node)
      queue.push(target)
    }
  }
  return undefined
}
