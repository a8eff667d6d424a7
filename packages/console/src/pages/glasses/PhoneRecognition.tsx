import { useQuery } from '@tanstack/react-query'
import { phoneSettingsQuery, useChangePhoneSettings } from '../../api/phone-settings.ts'
import { Switch } from '../../components/Switch.tsx'
import { reportFailure } from '../../components/Toasts.tsx'

/** The setting of the phone that lets it recognize speech although the cloud could. */
export const LOCAL_TRANSCRIPTION = 'enforce_local_transcription'

/** Whether the phone recognizes speech although the cloud could: then words can be typed. */
export function PhoneRecognition() {
  const { data } = useQuery(phoneSettingsQuery)
  const change = useChangePhoneSettings()
  return (
    <Switch
      isSelected={data?.[LOCAL_TRANSCRIPTION] === true}
      isDisabled={data === undefined}
      onChange={(isEnforced) =>
        change.mutate({ [LOCAL_TRANSCRIPTION]: isEnforced }, { onError: reportFailure })
      }
    >
      The phone recognizes speech, also if the cloud could
    </Switch>
  )
}
