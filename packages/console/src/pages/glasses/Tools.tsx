import { useDeferredValue } from 'react'
import { Tab, TabList, TabPanel, Tabs } from 'react-aria-components/Tabs'
import { useDeferredValue } from 'react'
import { Tab, TabList, TabPanel, Tabs } from 'react-aria-components/Tabs'
import { TOOL_NAMES, type Tool, ToolPanel, type ToolPanelProps } from './ToolPanel.tsx'
import styles from './Tools.module.css'
import { useRememberedChoice } from './use-remembered-choice.ts'

const TOOLS: readonly { readonly id: Tool; readonly Icon: IconComponent }[] = [
  { id: 'buttons', Icon: CircleDot },
  { id: 'apps', Icon: AppWindow },
  { id: 'sound', Icon: Volume2 },
  { id: 'camera', Icon: Camera },
  { id: 'power', Icon: Battery },
  { id: 'phone', Icon: Smartphone },
  { id: 'faults', Icon: Unplug },
  { id: 'replay', Icon: Repeat },
  { id: 'timing', Icon: Timer },
  { id: 'inspector', Icon: List },
]

const IDS: readonly [Tool, ...Tool[]] = ['buttons', ...TOOLS.map(({ id }) => id)]

/** The tools besides lens and speech, of which one is open; it is part of the address, and remembered on this device. */
export function Tools(props: Omit<ToolPanelProps, 'tool'>) {
  const [opened, open] = useRememberedChoice('panel', 'glasses.panel', IDS)
  // A click is answered before the tool is rendered.
  const shown = useDeferredValue(opened)
  return (
    <Tabs
      className={styles.tools ?? ''}
      selectedKey={opened}
      onSelectionChange={(key) => {
        const tool = IDS.find((id) => id === key)
        if (tool !== undefined) open(tool)
      }}
    >
      <TabList aria-label="Tools" className={styles.list ?? ''}>
        {TOOLS.map(({ id, Icon }) => (
          <Tab key={id} id={id} className={styles.tool ?? ''}>
            <Icon aria-hidden />
            {TOOL_NAMES[id]}
          </Tab>
        ))}
      </TabList>
      {TOOLS.map(({ id }) => (
        <TabPanel key={id} id={id} className={styles.panel ?? ''}>
          {shown === id && <ToolPanel {...props} tool={id} />}
        </TabPanel>
      ))}
    </Tabs>
  )
}
