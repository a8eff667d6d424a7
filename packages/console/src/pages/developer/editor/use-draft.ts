import type { ManifestProblem } from '@glasses-cloud/contract'
import { useMemo, useState } from 'react'
import { ApiError } from '../../../api/api-error.ts'
import { type AppDraft, findProblems } from './app-draft.ts'

/** A draft that is being edited, with its problems. */
export interface Draft {
  readonly value: AppDraft
  readonly problems: readonly ManifestProblem[]
  set<Field extends keyof AppDraft>(field: Field, value: AppDraft[Field]): void
  replace(value: AppDraft): void
  /**
   * Sends the draft if it has no problem; otherwise, or if the cloud finds one, all problems are shown.
   * @returns whether it was sent and accepted
   */
  submit(send: () => Promise<unknown>): Promise<boolean>
  /** Whether problems of fields that were not edited are shown as well. */
  readonly showsAll: boolean
}

/** Edits a draft, and checks it with every change. */
export function useDraft(initial: AppDraft | (() => AppDraft)): Draft {
  const [value, setValue] = useState(initial)
  const [showsAll, setShowsAll] = useState(false)
  const [rejected, setRejected] = useState<readonly ManifestProblem[]>([])
  const found = useMemo(() => findProblems(value), [value])
  return {
    value,
    problems: found.length > 0 ? found : rejected,
    showsAll,
    set(field, changed) {
      setRejected([])
      setValue((before) => ({ ...before, [field]: changed }))
    },
    replace(changed) {
      setRejected([])
      setShowsAll(false)
      setValue(changed)
    },
    async submit(send) {
      setShowsAll(true)
      if (found.length > 0) return false
      try {
        await send()
        setShowsAll(false)
        return true
      } catch (error) {
        if (!(error instanceof ApiError) || error.problems.length === 0) throw error
        setRejected(error.problems)
        return false
      }
    },
  }
}
