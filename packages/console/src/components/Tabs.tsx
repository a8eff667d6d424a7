import type { ReactNode } from 'react'
import { Tabs as AriaTabs, Tab, TabList, TabPanel } from 'react-aria-components/Tabs'
import styles from './Tabs.module.css'

export interface TabItem<Id extends string> {
  readonly id: Id
  readonly title: string
  readonly content: ReactNode
}

export interface TabsProps<Id extends string> {
  /** What the tabs have in common, for screen readers. */
  readonly label: string
  readonly items: readonly TabItem<Id>[]
}

/** Panels of which one is shown. */
export function Tabs<Id extends string>({ label, items }: TabsProps<Id>) {
  return (
    <AriaTabs className={styles.tabs ?? ''}>
      <TabList aria-label={label} className={styles.list ?? ''}>
        {items.map(({ id, title }) => (
          <Tab key={id} id={id} className={styles.tab ?? ''}>
            {title}
          </Tab>
        ))}
      </TabList>
      {items.map(({ id, content }) => (
        <TabPanel key={id} id={id} className={styles.panel ?? ''}>
          {content}
        </TabPanel>
      ))}
    </AriaTabs>
  )
}
