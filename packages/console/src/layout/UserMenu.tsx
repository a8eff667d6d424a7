import { lazy, Suspense, useRef, useState } from 'react'
import { Button } from '../components/Button.tsx'
import { CircleUser } from '../components/icons.ts'
import styles from './UserMenu.module.css'

const loadList = () => import('./UserMenuList.tsx')
const UserMenuList = lazy(async () => ({ default: (await loadList()).UserMenuList }))

export interface UserMenuProps {
  readonly user: { readonly email: string }
  readonly onShortcuts: () => void
  /** Shows an icon without the address, for the bar of a phone. */
  readonly isCompact?: boolean
}

/** Button of the menu with the color theme and signing out, which is loaded when it is first opened. */
export function UserMenu({ user, onShortcuts, isCompact = false }: UserMenuProps) {
  const [isOpen, setOpen] = useState(false)
  const trigger = useRef<HTMLButtonElement>(null)
  const label = `Menu of ${user.email}`
  return (
    <>
      <Button
        ref={trigger}
        variant="quiet"
        aria-label={label}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        onHoverStart={() => void loadList()}
        onPress={() => setOpen(true)}
      >
        <CircleUser aria-hidden />
        {!isCompact && <span className={styles.email}>{user.email}</span>}
      </Button>
      {isOpen && (
        <Suspense fallback={null}>
          <UserMenuList
            label={label}
            triggerRef={trigger}
            onShortcuts={onShortcuts}
            onClose={() => setOpen(false)}
          />
        </Suspense>
      )}
    </>
  )
}
