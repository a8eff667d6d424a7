import type { ManifestProblem } from '@glasses-cloud/contract'
import { createContext, type ReactNode, useContext, useMemo, useState } from 'react'
import { Notice } from '../../../components/Notice.tsx'

const texts = {
  editor: {
    problems: (count: number) => (count === 1 ? 'Correct this field' : `Correct these ${count} fields`),
  },
} as const

interface Problems {
  /** The problem of a field, once it was edited or all problems are shown. */
  of(path: string): string | undefined
  /** Remembers that a field was edited. */
  edited(path: string): void
}

const ProblemsContext = createContext<Problems>({ of: () => undefined, edited: () => {} })

export interface ProblemsProviderProps {
  readonly problems: readonly ManifestProblem[]
  readonly showsAll: boolean
  readonly children: ReactNode
}

/** Tells the fields of a form their problems. */
export function ProblemsProvider({ problems, showsAll, children }: ProblemsProviderProps) {
  const [edited, setEdited] = useState<ReadonlySet<string>>(new Set())
  const value = useMemo(
    () => ({
      of: (path: string) => {
        if (!showsAll && !edited.has(path)) return undefined
        const found = problems.find(({ field }) => field === path)
        return found && sentence(found)
      },
      edited: (path: string) =>
        setEdited((before) => (before.has(path) ? before : new Set([...before, path]))),
    }),
    [problems, showsAll, edited],
  )
  return <ProblemsContext value={value}>{children}</ProblemsContext>
}

/** Returns the problem of a field, and a function to call when the field was edited. @param path as in a manifest */
export function useProblem(path: string) {
  const problems = useContext(ProblemsContext)
  return { error: problems.of(path), onEdit: (edited = path) => problems.edited(edited) }
}

/** All problems, each with the name of its field. */
export function ProblemList({ problems }: { readonly problems: readonly ManifestProblem[] }) {
  if (problems.length === 0) return null
  return (
    <Notice tone="danger" title={texts.editor.problems(problems.length)}>
      <ul>
        {problems.map(({ message }) => (
          <li key={message}>{message}</li>
        ))}
      </ul>
    </Notice>
  )
}

/** At the field, its name is not repeated: `name must not be empty` becomes `Must not be empty`. */
function sentence({ field, message }: ManifestProblem): string {
  const rest = message.startsWith(`${field} `) ? message.slice(field.length + 1) : message
  return rest.charAt(0).toUpperCase() + rest.slice(1)
}
