import type { ReactNode } from 'react'
import { Tabs as AriaTabs, Tab, TabList, TabPanel } from 'react-aria-components/Tabs'
import { useUrlChoice } from '../url-state.ts'
import styles from './Tabs.module.css'

export interface TabItem<Id extends string> {
  readonly id: Id
  readonly title: string
  readonly content: ReactNode
}

export interface TabsProps<Id extends string> {
  /** The parameter of the address that names the panel. */
  readonly name: string
  /** What the tabs have in common, for screen readers. */
  readonly label: string
  readonly items: readonly [TabItem<Id>, ...TabItem<Id>[]]
}

/** Panels of which one is shown; which one is part of the address. */
export function Tabs<Id extends string>({ name, label, items }: TabsProps<Id>) {
  const [first, ...others] = items
  const [selected, select] = useUrlChoice(name, [first.id, ...others.map(({ id }) => id)])
  return (
    <AriaTabs
      className={styles.tabs ?? ''}
      selectedKey={selected}
      onSelectionChange={(key) => {
        const item = items.find(({ id }) => id === key)
        if (item !== undefined) select(item.id)
      }}
    >
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
