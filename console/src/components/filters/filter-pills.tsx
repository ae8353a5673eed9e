import { Combobox, Group, Popover, UnstyledButton, useCombobox } from '@mantine/core';
import { type ComponentPropsWithRef, type ReactNode, useState } from 'react';
import { Icon } from '../icons.tsx';
import classes from './filter-pills.module.css';

interface PillProps {
  readonly label: string;
  /** The value of the filter; null if it is not set. */
  readonly words: ReactNode;
  readonly onClear: () => void;
}

/** The button that opens a filter, and the one that removes it. */
const Pill = ({ words, label, onClear, children }: PillProps & { readonly children: ReactNode }) => (
  <span className={classes.pill} {...(words !== null && { 'data-set': true })}>
    {children}
    {words !== null && (
      <UnstyledButton className={classes.clear} onClick={onClear} aria-label={`Any ${label.toLowerCase()}`}>
        <Icon name="close" size={12} />
      </UnstyledButton>
    )}
  </span>
);

/** The label of the button: `+ Status`, or `Status: failed`. */
const OpenButton = ({
  label,
  words,
  className = '',
  ...rest
}: Pick<PillProps, 'label' | 'words'> & ComponentPropsWithRef<'button'>) => (
  <UnstyledButton {...rest} className={`${classes.open} ${className}`}>
    {words === null ? (
      <>
        <Icon name="plus" size={12} />
        {label}
      </>
    ) : (
      <>
        {label}: <span className={classes.words}>{words}</span>
      </>
    )}
  </UnstyledButton>
);

interface Option {
  readonly value: string;
  readonly name: ReactNode;
}

interface OptionsPillProps {
  readonly label: string;
  readonly options: readonly Option[];
  readonly chosen: readonly string[];
  readonly onChoose: (chosen: readonly string[]) => void;
  readonly isMultiple?: boolean;
}

/** From this number of options on, typing finds one. */
const MANY = 9;

/** A filter by some of a few values. */
export function OptionsPill({ label, options, chosen, onChoose, isMultiple = false }: OptionsPillProps) {
  const [sought, setSought] = useState('');
  const isSearchable = options.length >= MANY;
  const combobox = useCombobox({
    onDropdownOpen: () => isSearchable && combobox.focusSearchInput(),
    onDropdownClose: () => {
      combobox.resetSelectedOption();
      combobox.focusTarget();
      setSought('');
    },
  });
  const has = (value: string) => chosen.includes(value);
  const toggle = (value: string) =>
    onChoose(has(value) ? chosen.filter((one) => one !== value) : isMultiple ? [...chosen, value] : [value]);
  const [first, second, ...more] = options.filter(({ value }) => has(value));
  const words =
    first === undefined ? null : (
      <>
        {first.name}
        {second !== undefined && <>, {second.name}</>}
        {more.length > 0 && ` + ${more.length}`}
      </>
    );
  const matches = options.filter(
    ({ value, name }) => sought === '' || `${value} ${name}`.toLowerCase().includes(sought.trim().toLowerCase()),
  );
  return (
    <Combobox
      store={combobox}
      width={260}
      position="bottom-start"
      // Keeps the options within the page's landmarks.
      withinPortal={false}
      onOptionSubmit={(value) => {
        toggle(value);
        if (!isMultiple) combobox.closeDropdown();
      }}
    >
      <Pill label={label} words={words} onClear={() => onChoose([])}>
        <Combobox.Target targetType="button">
          <OpenButton label={label} words={words} onClick={() => combobox.toggleDropdown()} />
        </Combobox.Target>
      </Pill>
      <Combobox.Dropdown>
        {isSearchable && (
          <Combobox.Search
            aria-label={`Find: ${label}`}
            placeholder="Type to find"
            value={sought}
            onChange={({ currentTarget }) => {
              setSought(currentTarget.value);
              combobox.selectFirstOption();
            }}
          />
        )}
        <Combobox.Options mah={320} style={{ overflowY: 'auto' }} tabIndex={-1} aria-label={label}>
          {matches.map(({ value, name }) => (
            <Combobox.Option key={value} value={value} active={has(value)} selected={has(value)}>
              <Group gap={8} wrap="nowrap">
                <span style={{ width: 14, lineHeight: 0 }}>{has(value) && <Icon name="check" size={14} />}</span>
                {name}
              </Group>
            </Combobox.Option>
          ))}
          {matches.length === 0 && <Combobox.Empty>Nothing matches</Combobox.Empty>}
        </Combobox.Options>
      </Combobox.Dropdown>
    </Combobox>
  );
}

/** A filter with fields of its own. */
export function PanelPill({ children, ...pill }: PillProps & { readonly children: (close: () => void) => ReactNode }) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <Popover
      opened={isOpen}
      onChange={setIsOpen}
      position="bottom-start"
      withinPortal={false}
      trapFocus
      returnFocus
      transitionProps={{ duration: 0 }}
    >
      <Pill {...pill}>
        <Popover.Target>
          <OpenButton label={pill.label} words={pill.words} onClick={() => setIsOpen((before) => !before)} />
        </Popover.Target>
      </Pill>
      <Popover.Dropdown p="sm" aria-label={pill.label}>
        {children(() => setIsOpen(false))}
      </Popover.Dropdown>
    </Popover>
  );
}

/** A filter that is on or off. */
export const TogglePill = ({
  label,
  isOn,
  onChange,
}: {
  readonly label: string;
  readonly isOn: boolean;
  readonly onChange: (isOn: boolean) => void;
}) => (
  <span className={classes.pill} {...(isOn && { 'data-set': true })}>
    <UnstyledButton className={classes.open} aria-pressed={isOn} onClick={() => onChange(!isOn)}>
      <Icon name={isOn ? 'check' : 'plus'} size={12} />
      {label}
    </UnstyledButton>
  </span>
);

/** A filter that a link has set. */
export const ClearPill = (pill: PillProps) => (
  <Pill {...pill}>
    <span className={classes.open}>
      {pill.label}: <span className={classes.words}>{pill.words}</span>
    </span>
  </Pill>
);
