import type { ManifestProblem } from '@glasses-cloud/contract'
import { createContext, type ReactNode, useContext, useEffect, useMemo, useState } from 'react'
import { Notice } from '../../../components/Notice.tsx'

interface Problems {
  /** The problem of a field, once it was edited or all problems are shown. */
  of(path: string): string | undefined
  /** Remembers that a field was edited. */
  edited(path: string): void
  /** The label of the form for each path that has one. */
  readonly labels: Map<string, string>
}

const ProblemsContext = createContext<Problems>({ of: () => undefined, edited: () => {}, labels: new Map() })

export interface ProblemsProviderProps {
  readonly problems: readonly ManifestProblem[]
  readonly showsAll: boolean
  readonly children: ReactNode
}

/** Tells the fields of a form their problems. */
export function ProblemsProvider({ problems, showsAll, children }: ProblemsProviderProps) {
  const [edited, setEdited] = useState<ReadonlySet<string>>(new Set())
  const [labels] = useState(() => new Map<string, string>())
  const value = useMemo(
    () => ({
      of: (path: string) => {
        if (!showsAll && !edited.has(path)) return undefined
        const found = problems.find(({ field }) => field === path)
        return found && sentence(found)
      },
      edited: (path: string) =>
        setEdited((before) => (before.has(path) ? before : new Set([...before, path]))),
      labels,
    }),
    [problems, showsAll, edited, labels],
  )
  return <ProblemsContext value={value}>{children}</ProblemsContext>
}

/**
 * Returns the problem of a field, and a function to call when the field was edited.
 * @param path as in a manifest
 * @param label what the form calls it
 */
export function useProblem(path: string, label: string) {
  const problems = useContext(ProblemsContext)
  useLabel(path, label)
  return { error: problems.of(path), onEdit: (edited = path) => problems.edited(edited) }
}

/** Tells the form what it calls a path, such as an entry of a list. */
export function useLabel(path: string, label: string): void {
  const { labels } = useContext(ProblemsContext)
  useEffect(() => {
    labels.set(path, label)
    return () => void labels.delete(path)
  }, [labels, path, label])
}

/** All problems, each with the name of its field: that of the form, or that of the manifest outside of a form. */
export function ProblemList({ problems }: { readonly problems: readonly ManifestProblem[] }) {
  const { labels } = useContext(ProblemsContext)
  if (problems.length === 0) return null
  return (
    <Notice
      tone="danger"
      title={problems.length === 1 ? 'Correct this field' : `Correct these ${problems.length} fields`}
    >
      <ul>
        {problems.map((problem) => (
          <li key={problem.message}>{nameField(problem, labels)}</li>
        ))}
      </ul>
    </Notice>
  )
}

/** Names a field with the labels above it: `setting Volume, Key: Must not be empty`. */
function nameField(problem: ManifestProblem, labels: ReadonlyMap<string, string>): string {
  const { field, message } = problem
  if (!labels.has(field)) return message
  const names = [...labels.keys()]
    // Entries name their list themselves.
    .filter((path) => path === field || (field.startsWith(`${path}.`) && path.endsWith(']')))
    .sort((one, other) => one.length - other.length)
    .map((path) => labels.get(path))
  return `${names.join(', ')}: ${sentence(problem)}`
}

/** At the field, its name is not repeated: `name must not be empty` becomes `Must not be empty`. */
function sentence({ field, message }: ManifestProblem): string {
  const rest = message.startsWith(`${field} `) ? message.slice(field.length + 1) : message
  return rest.charAt(0).toUpperCase() + rest.slice(1)
}
