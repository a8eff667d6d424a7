import { useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'
import { listMainPages } from './main-pages.ts'
import { createShortcutReader, readShortcutSetting, type ShortcutCommand } from './shortcut-keys.ts'

/** The field that finds something on the page, or else the button of the search over everything. */
const SEARCH_FIELD = '#content input[type="search"]'
const SEARCH_BUTTON = '[data-search] button'

/** Runs the shortcuts of the keyboard, unless the user has switched them off. */
export function useShortcuts(
  user: { readonly isAdministrator: boolean },
  { onHelp }: { readonly onHelp: () => void },
): void {
  const router = useRouter()
  const { isAdministrator } = user
  useEffect(() => {
    const { first, others } = listMainPages({ isAdministrator })
    const read = createShortcutReader(new Map([...first, ...others].map(({ letter, to }) => [letter, to])))

    function run(command: ShortcutCommand) {
      if (command === 'help') onHelp()
      else if (command === 'search') startSearch()
      else void router.navigate({ to: command.page })
    }

    function handleKey(event: KeyboardEvent) {
      const command = read(event)
      if (command === undefined || !readShortcutSetting()) return
      event.preventDefault()
      run(command)
    }

    document.addEventListener('keydown', handleKey)
    return () => document.removeEventListener('keydown', handleKey)
  }, [router, isAdministrator, onHelp])
}

function startSearch(): void {
  const field = document.querySelector<HTMLInputElement>(SEARCH_FIELD)
  if (field !== null) field.focus()
  else document.querySelector<HTMLButtonElement>(SEARCH_BUTTON)?.click()
}
