import { useDeferredValue, useState } from 'react'
import { Tab, TabList, TabPanel, Tabs } from 'react-aria-components/Tabs'
import {
  AppWindow,
  Battery,
  Camera,
  CircleDot,
  type IconComponent,
  List,
  Repeat,
  Smartphone,
  Timer,
  Unplug,
  Volume2,
} from '../../components/icons.ts'
import { onDevice } from '../../stored.ts'
import { useUrlChoice } from '../../url-state.ts'
import { TOOL_NAMES, type Tool, ToolPanel, type ToolPanelProps } from './ToolPanel.tsx'
import styles from './Tools.module.css'

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

/**
 * A choice that is part of the address; without one there, the choice that was made last on this device.
 * @param name the parameter of the address
 * @param storageKey where the last choice is stored on this device
 * @param values the first is the default
 */
function useRememberedChoice<Value extends string>(
  name: string,
  storageKey: string,
  values: readonly [Value, ...Value[]],
): [Value, (value: Value) => void] {
  const [inAddress, setInAddress] = useUrlChoice<Value | ''>(name, ['', ...values])
  const [last] = useState(() => {
    const stored = onDevice.read(storageKey)
    return values.find((value) => value === stored) ?? values[0]
  })
  return [
    inAddress === '' ? last : inAddress,
    (chosen) => {
      onDevice.write(storageKey, chosen)
      setInAddress(chosen)
    },
  ]
}
