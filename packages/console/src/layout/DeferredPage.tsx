import { useRouter, useRouterState } from '@tanstack/react-router'
import { type ReactNode, startTransition, useEffect, useState } from 'react'
import { Skeleton } from '../components/Skeleton.tsx'

/**
 * Renders the page of a link after the click was answered: the navigation shows where it leads at once, and the page is
 * rendered without blocking the next click. Pages that share the first segment of their path, such as the parts of an app,
 * and steps back, whose scroll position is restored, are rendered at once.
 */
export function DeferredPage({ children }: { readonly children: ReactNode }) {
  const { history } = useRouter()
  const section = useRouterState({ select: ({ matches }) => matches.at(-1)?.pathname.split('/', 2)[1] })
  const [shown, setShown] = useState(section)
  const [isStepBack, setStepBack] = useState(false)
  useEffect(() => history.subscribe(({ action: { type } }) => setStepBack(type !== 'PUSH')), [history])
  useEffect(() => startTransition(() => setShown(section)), [section])
  return shown === section || isStepBack ? children : <Skeleton shape="page" />
}
