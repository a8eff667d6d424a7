import { LinkButton } from '../components/LinkButton.tsx'
import { EmptyState } from '../components/States.tsx'

/** Shown for an address that is no page of the console. */
export function NotFound() {
  return (
    <main>
      <EmptyState title="Page not found">
        <p>The address may be mistyped, or the page no longer exists.</p>
        <LinkButton to="/store">Go to the apps</LinkButton>
      </EmptyState>
    </main>
  )
}
