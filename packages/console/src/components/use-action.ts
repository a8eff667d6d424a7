import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { reportSuccess } from './Toasts.tsx'

/** Something that the user starts and that may fail: sending a form, or the press of a button. */
export interface Action<Result, Input> {
  /** Starts it, unless it is still pending. */
  readonly run: (input: Input) => void
  readonly isPending: boolean
  readonly isDone: boolean
  readonly result: Result | undefined
  /** What it was last started with. */
  readonly input: Input | undefined
  readonly error: Error | undefined
  /** Forgets the outcome; does nothing while it is pending. */
  readonly reset: () => void
}

export interface ActionOptions<Result, Input> {
  /** Reported as a message of the page. */
  readonly success?: string | ((result: Result, input: Input) => string) | undefined
  /** Called with the error where the component does not show it, usually `reportFailure`. */
  readonly onFailure?: ((error: Error) => void) | undefined
  /** The state that the outcome is about, such as that of a connection. When it changes, the outcome is forgotten. */
  readonly about?: string | undefined
}

/** Runs an action of the user once at a time, with its state for buttons and forms. */
export function useAction<Result, Input = void>(
  perform: (input: Input) => Result | Promise<Result>,
  { success, onFailure, about }: ActionOptions<Result, Input> = {},
): Action<Result, Input> {
  // The state of the mutation is rendered later than a second press can follow.
  const isRunning = useRef(false)
  const { mutate, isPending, isSuccess, data, variables, error, reset } = useMutation<Result, Error, Input>({
    // Without a network the action fails instead of waiting for it.
    networkMode: 'always',
    // Messages are those of the render in which the action was started: its success may change what is rendered.
    mutationFn: async (input) => {
      try {
        const result = await perform(input)
        if (success !== undefined)
          reportSuccess(typeof success === 'string' ? success : success(result, input))
        return result
      } catch (cause) {
        const failure = cause instanceof Error ? cause : new Error(String(cause))
        onFailure?.(failure)
        throw failure
      } finally {
        isRunning.current = false
      }
    },
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: another state forgets the outcome
  useEffect(() => {
    if (!isRunning.current) reset()
  }, [about, reset])
  return {
    run: (input) => {
      if (isRunning.current) return
      isRunning.current = true
      mutate(input)
    },
    isPending,
    isDone: isSuccess,
    result: data,
    input: variables,
    error: error ?? undefined,
    reset: () => {
      if (!isRunning.current) reset()
    },
  }
}
