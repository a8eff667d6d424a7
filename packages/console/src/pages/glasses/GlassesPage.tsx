import { KNOWN_MODELS } from '@glasses-cloud/contract'
import { Badge } from '../../components/Badge.tsx'
import { Button } from '../../components/Button.tsx'
import { Notice } from '../../components/Notice.tsx'
import { Page } from '../../components/Page.tsx'
import { Select } from '../../components/Select.tsx'
import { Tabs } from '../../components/Tabs.tsx'
import { CalendarForm } from './CalendarForm.tsx'
import { CameraCard } from './CameraCard.tsx'
import { Controls } from './Controls.tsx'
import { Faults } from './Faults.tsx'
import styles from './GlassesPage.module.css'
import { Inspector } from './Inspector.tsx'
import { InstalledApps } from './InstalledApps.tsx'
import { Lens } from './Lens.tsx'
import { LocationForm } from './LocationForm.tsx'
import { Notifications } from './Notifications.tsx'
import { PhoneSettings } from './PhoneSettings.tsx'
import { Power } from './Power.tsx'
import { ReplayCard } from './ReplayCard.tsx'
import { SendMessage } from './SendMessage.tsx'
import { Speaker } from './Speaker.tsx'
import { Starts } from './Starts.tsx'
import { useSimulator } from './use-simulator.ts'
import { Voice } from './Voice.tsx'
import { Wifi } from './Wifi.tsx'

const texts = {
  connection: {
    disconnected: 'Not worn',
    connecting: 'Connecting…',
    connected: 'Worn',
    reconnecting: 'Connection lost, reconnecting…',
  },
  takeover: {
    'was-replaced': {
      title: 'You put on other glasses',
      text: 'They took over your session: a tab, a phone or other glasses that connected after these. Put these on again to take it back.',
    },
    'replaced-others': {
      title: 'These glasses took over',
      text: 'The glasses in another tab were taken off, and their session continues here.',
    },
  },
} as const

const MODELS = KNOWN_MODELS.map((model) => ({ value: model, label: model }))

/** Simulated glasses that the signed-in user wears: lens, voice, buttons, devices, phone, faults and every frame. */
export function GlassesPage() {
  const { simulator, state } = useSimulator()
  const isWorn = state.connection === 'connected' || state.connection === 'reconnecting'
  const takeover = state.takeover === undefined ? undefined : texts.takeover[state.takeover]
  return (
    <Page
      title="Glasses"
      description="Simulated glasses in your browser. Apps cannot tell them from real ones."
    >
      <div className={styles.bar}>
        <Select
          label="Model"
          options={MODELS}
          value={state.model}
          onChange={(model) => simulator.putOn(model)}
        />
        {isWorn ? (
          <Button onPress={() => void simulator.disconnect()}>Take off</Button>
        ) : (
          <Button
            variant="primary"
            isPending={state.connection === 'connecting'}
            onPress={() => void simulator.connect()}
          >
            Put on
          </Button>
        )}
        <span role="status">
          <Badge tone={state.connection === 'connected' ? 'success' : 'neutral'}>
            {texts.connection[state.connection]}
          </Badge>
        </span>
      </div>
      {takeover !== undefined && (
        <Notice tone="warning" title={takeover.title}>
          {takeover.text}
        </Notice>
      )}
      {state.problem !== undefined && <Notice tone="danger" title={state.problem} />}
      <Lens model={state.model} display={state.display} led={state.led} />
      {isWorn && (
        <>
          <div className={styles.panels}>
            <div className={styles.stack}>
              <InstalledApps state={state} />
              <Controls simulator={simulator} headUp={state.display.headUp} />
            </div>
            <Voice simulator={simulator} requiredData={state.requiredData} />
          </div>
          <Tabs
            name="panel"
            label="What the glasses do"
            items={[
              {
                id: 'media',
                title: 'Camera and speaker',
                content: (
                  <div className={styles.panels}>
                    <CameraCard simulator={simulator} photos={state.photos} />
                    <Speaker simulator={simulator} sounds={state.sounds} />
                  </div>
                ),
              },
              {
                id: 'power',
                title: 'Battery and Wi-Fi',
                content: (
                  <div className={styles.panels}>
                    <Power simulator={simulator} />
                    <Wifi simulator={simulator} ssid={state.ssid} request={state.wifiRequest} />
                  </div>
                ),
              },
              {
                id: 'phone',
                title: 'Phone',
                content: (
                  <div className={styles.panels}>
                    <Notifications simulator={simulator} />
                    <CalendarForm simulator={simulator} />
                    <LocationForm simulator={simulator} />
                    <PhoneSettings />
                  </div>
                ),
              },
              {
                id: 'faults',
                title: 'Faults',
                content: <Faults simulator={simulator} faults={state.faults} />,
              },
              {
                id: 'replay',
                title: 'Replay',
                content: (
                  <div className={styles.panels}>
                    <ReplayCard simulator={simulator} state={state} />
                    <SendMessage simulator={simulator} />
                  </div>
                ),
              },
              { id: 'starts', title: 'App starts', content: <Starts noticed={state.starts} /> },
            ]}
          />
        </>
      )}
      <Inspector frames={state.frames} onClear={() => simulator.clearFrames()} />
    </Page>
  )
}
