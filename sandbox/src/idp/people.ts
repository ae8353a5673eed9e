import { DIGITS, Random } from '../random.ts';

/** A person who can sign in. Some lack claims on purpose. */
export interface Person {
  readonly sub: string;
  readonly title: string;
  readonly note: string;
  readonly claims: Readonly<Record<string, unknown>>;
}

/** Creates the people of this seed. `url` is the base of their pictures. */
export function createPeople(seed: string, url: string): readonly Person[] {
  const person = (
    key: string,
    title: string,
    note: string,
    claims: Readonly<Record<string, unknown>>,
    hasPicture = true,
  ) => {
    const sub = `10${new Random(`${seed}/idp/${key}`).text(19, DIGITS)}`;
    const picture = hasPicture ? { picture: `${url}/pictures/avatar/${sub}.svg` } : {};
    return { sub, title, note, claims: { ...claims, ...picture } };
  };
  const rowan = { name: 'Rowan Vale', given_name: 'Rowan', family_name: 'Vale' };
  return [
    person('rowan', 'Rowan Vale', 'E-mail address verified', {
      ...rowan,
      email: 'rowan@sandbox.example',
      email_verified: true,
    }),
    person('noor', 'نور حداد', 'E-mail address not verified', {
      name: 'نور حداد',
      given_name: 'نور',
      family_name: 'حداد',
      email: 'noor@sandbox.example',
      email_verified: false,
    }),
    person('kit', 'Kit', 'Gives no e-mail address, name or picture', {}, false),
    person('casey', 'Casey O’Neil', 'E-mail address verified, said as the text "true"', {
      name: 'Casey O’Neil',
      email: 'casey@sandbox.example',
      email_verified: 'true',
    }),
    person(
      'rowan-again',
      'Rowan Vale (other account)',
      'Another person with the first one’s e-mail address, not verified',
      {
        ...rowan,
        email: 'rowan@sandbox.example',
        email_verified: false,
      },
    ),
  ];
}
