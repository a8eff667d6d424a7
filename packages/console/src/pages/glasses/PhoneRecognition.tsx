import { useQuery } from '@tanstack/react-query'
import { phoneSettingsQuery, useChangePhoneSettings } from '../../api/phone-settings.ts'
import { Switch } from '../../components/Switch.tsx'
import { reportFailure } from '../../components/Toasts.tsx'

const SETTING = 'enforce_local_transcription'

/** Whether the phone recognizes speech although the cloud could: then words can be typed. */
export function PhoneRecognition() {
  const { data } = useQuery(phoneSettingsQuery)
  const change = useChangePhoneSettings()
  return (
    <Switch
      isSelected={data?.[SETTING] === true}
      isDisabled={data === undefined || change.isPending}
      onChange={(isEnforced) => change.mutate({ [SETTING]: isEnforced }, { onError: reportFailure })}
    >
      The phone recognizes speech, also if the cloud could
    </Switch>
  )
}
