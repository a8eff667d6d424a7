import type { SettingDeclaration } from '@glasses-cloud/contract'
import { useState } from 'react'
import { Select } from '../../../components/Select.tsx'
import { Slider } from '../../../components/Slider.tsx'
import { Switch } from '../../../components/Switch.tsx'
import { TextField } from '../../../components/TextField.tsx'
import { isSettingType } from './setting-types.ts'

/** A valid setting as a wearer sees it. It can be tried, but changes nothing. */
export function SettingPreview({ setting }: { readonly setting: SettingDeclaration }) {
  const { type, label, title, value, defaultValue, min, max } = setting
  const name = String(label ?? title ?? '')
  if (!isSettingType(type)) return null
  switch (type) {
    case 'group':
      return <h5>{String(title)}</h5>
    case 'titleValue':
      return (
        <p>
          <strong>{name}</strong>: {typeof value === 'string' ? value : JSON.stringify(value)}
        </p>
      )
    case 'toggle':
      return <Switch defaultSelected={defaultValue === true}>{name}</Switch>
    case 'slider':
      return (
        <Slider
          label={name}
          minValue={Number(min)}
          maxValue={Number(max)}
          defaultValue={Number(defaultValue)}
        />
      )
    case 'select':
    case 'select_with_search':
      return <SelectPreview label={name} setting={setting} />
    case 'multiselect':
      return <MultiselectPreview label={name} setting={setting} />
    case 'time_picker':
      return <TextField label={name} type="time" defaultValue={timeOf(defaultValue)} />
    case 'numeric_input':
      return <TextField label={name} type="number" defaultValue={String(defaultValue ?? '')} />
    case 'text':
    case 'text_no_save_button':
      return <TextField label={name} defaultValue={String(defaultValue ?? '')} />
  }
}

interface ChoiceProps {
  readonly label: string
  readonly setting: SettingDeclaration
}

function SelectPreview({ label, setting }: ChoiceProps) {
  const options = optionsOf(setting)
  const [value, setValue] = useState(JSON.stringify(setting.defaultValue) ?? '')
  const isChosen = options.some((option) => option.value === value)
  return (
    <Select
      label={label}
      options={isChosen ? options : [{ value, label: 'Nothing chosen' }, ...options]}
      value={value}
      onChange={setValue}
    />
  )
}

function MultiselectPreview({ label, setting }: ChoiceProps) {
  const { defaultValue } = setting
  const chosen = Array.isArray(defaultValue) ? defaultValue.map((value) => JSON.stringify(value)) : []
  return (
    <>
      <strong>{label}</strong>
      {optionsOf(setting).map((option) => (
        <Switch key={option.value} defaultSelected={chosen.includes(option.value)}>
          {option.label}
        </Switch>
      ))}
    </>
  )
}

function optionsOf({ options }: SettingDeclaration): { value: string; label: string }[] {
  const declared = Array.isArray(options) ? (options as { label: string; value: unknown }[]) : []
  return declared.map(({ label, value }) => ({ value: JSON.stringify(value), label: label || String(value) }))
}

/** @param seconds since midnight */
function timeOf(seconds: unknown): string {
  if (typeof seconds !== 'number') return ''
  const part = (value: number) => String(Math.floor(value) % 60).padStart(2, '0')
  return `${String(Math.floor(seconds / 3600)).padStart(2, '0')}:${part(seconds / 60)}`
}
