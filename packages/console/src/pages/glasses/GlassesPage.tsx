import { KNOWN_MODELS } from '@glasses-cloud/contract'
import { Badge } from '../../components/Badge.tsx'
import { Button } from '../../components/Button.tsx'
import { Notice } from '../../components/Notice.tsx'
import { Page } from '../../components/Page.tsx'
import { Select } from '../../components/Select.tsx'
import { Tabs } from '../../components/Tabs.tsx'
import { glasses as texts } from '../../texts/glasses.ts'
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

const MODELS = KNOWN_MODELS.map((model) => ({ value: model, label: model }))

/** Simulated glasses that the signed-in user wears: lens, voice, buttons, devices, phone, faults and every frame. */
export function GlassesPage() {
  const { simulator, state } = useSimulator()
  const isWorn = state.connection === 'connected' || state.connection === 'reconnecting'
  const takeover = state.takeover === undefined ? undefined : texts.takeover[state.takeover]
  return (
    <Page title={texts.title} description={texts.description}>
      <div className={styles.bar}>
        <Select
          label={texts.model}
          options={MODELS}
          value={state.model}
          onChange={(model) => simulator.putOn(model)}
        />
        {isWorn ? (
          <Button onPress={() => void simulator.disconnect()}>{texts.disconnect}</Button>
        ) : (
          <Button
            variant="primary"
            isPending={state.connection === 'connecting'}
            onPress={() => void simulator.connect()}
          >
            {texts.connect}
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
            label={texts.panels.label}
            items={[
              {
                id: 'media',
                title: texts.panels.media,
                content: (
                  <div className={styles.panels}>
                    <CameraCard simulator={simulator} photos={state.photos} />
                    <Speaker simulator={simulator} sounds={state.sounds} />
                  </div>
                ),
              },
              {
                id: 'power',
                title: texts.panels.power,
                content: (
                  <div className={styles.panels}>
                    <Power simulator={simulator} />
                    <Wifi simulator={simulator} ssid={state.ssid} request={state.wifiRequest} />
                  </div>
                ),
              },
              {
                id: 'phone',
                title: texts.panels.phone,
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
                title: texts.panels.faults,
                content: <Faults simulator={simulator} faults={state.faults} />,
              },
              {
                id: 'replay',
                title: texts.panels.replay,
                content: (
                  <div className={styles.panels}>
                    <ReplayCard simulator={simulator} state={state} />
                    <SendMessage simulator={simulator} />
                  </div>
                ),
              },
              { id: 'starts', title: texts.panels.starts, content: <Starts noticed={state.starts} /> },
            ]}
          />
        </>
      )}
      <Inspector frames={state.frames} onClear={() => simulator.clearFrames()} />
    </Page>
  )
}
