import { useLocation } from '@tanstack/react-router'
import { lazy, Suspense, useEffect, useState } from 'react'
import { Button } from 'react-aria-components/Button'
import { Menu } from '../components/icons.ts'
import styles from './BottomBar.module.css'
import { MainLinks } from './MainLinks.tsx'
import { listMainPages } from './main-pages.ts'

const Modal = lazy(async () => ({ default: (await import('../components/Modal.tsx')).Modal }))

/** The navigation on a phone: the pages that are used most, and a drawer with the others. */
export function BottomBar({ user }: { readonly user: { readonly isAdministrator: boolean } }) {
  const { first, others } = listMainPages(user)
  const { pathname } = useLocation()
  const [isOpen, setOpen] = useState(false)
  const isOther = others.some(({ to }) => pathname === to || pathname.startsWith(`${to}/`))
  // biome-ignore lint/correctness/useExhaustiveDependencies: a chosen page closes the drawer
  useEffect(() => setOpen(false), [pathname])
  return (
    <nav id="navigation" className={styles.bar} aria-label="Main" tabIndex={-1}>
      <ul className={styles.links}>
        <MainLinks pages={first} linkClass={styles.link} activeClass={styles.active} />
        <li>
          <Button
            className={`${styles.link} ${isOther ? styles.active : ''}`}
            aria-expanded={isOpen}
            {...(isOther && { 'aria-current': 'true' })}
            onPress={() => setOpen(true)}
          >
            <Menu aria-hidden />
            More
          </Button>
        </li>
      </ul>
      {isOpen && (
        <Suspense fallback={null}>
          <Modal size="drawer" title="More pages" isOpen onClose={() => setOpen(false)}>
            <ul className={styles.others}>
              <MainLinks pages={others} linkClass={styles.other} activeClass={styles.otherActive} />
            </ul>
          </Modal>
        </Suspense>
      )}
    </nav>
  )
}
