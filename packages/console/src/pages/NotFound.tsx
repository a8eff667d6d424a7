import { LinkButton } from '../components/LinkButton.tsx'
import { EmptyState } from '../components/States.tsx'
import { navigation } from '../texts/navigation.ts'

/** Shown for an address that is no page of the console. */
export function NotFound() {
  const { title, hint, home } = navigation.notFound
  return (
    <main>
      <EmptyState title={title}>
        <p>{hint}</p>
        <LinkButton to="/store">{home}</LinkButton>
      </EmptyState>
    </main>
  )
}
