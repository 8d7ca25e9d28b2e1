import { isFound } from 'padron-client';
import type { CheckPersonQuery } from './generated/graphql';
import { formatDay, formatPesos } from './texts';

export type Person = NonNullable<CheckPersonQuery['person']>;

interface Fact {
  readonly label: string;
  readonly value: string | null | undefined;
}

export interface Registry {
  readonly field: 'identity' | 'credit' | 'housingAccount' | 'licences';
  /** Name of its endpoint in a price. */
  readonly route: string;
  readonly title: string;
  readonly about: string;
  /** Returns what the page shows of the answer. It is empty if nothing was found about this person. */
  readonly factsOf: (person: Person) => readonly Fact[];
}

/** The registries, in the order of the page. */
export const registries: readonly Registry[] = [
  {
    field: 'identity',
    route: 'findIdentity',
    title: 'RENAPO · Identidad',
    about: 'Nombre, nacimiento y situación de la CURP',
    factsOf: ({ identity }) => {
      if (!isFound(identity)) return [];
      const { curp, birthDate, birthState, history } = identity.record;
      return [
        { label: 'Nombre', value: nameIn(identity.record) },
        { label: 'CURP', value: curp },
        { label: 'Fecha de nacimiento', value: birthDate && formatDay(birthDate) },
        { label: 'Entidad de nacimiento', value: birthState },
        { label: 'Situación de la CURP', value: history?.statusDescription },
      ];
    },
  },
  {
    field: 'credit',
    route: 'findCredit',
    title: 'Infonavit · Crédito',
    about: 'Si tiene un crédito de vivienda',
    factsOf: ({ credit }) => {
      if (!isFound(credit)) return [];
      const { hasCredit, situation, kind, openedOn } = credit.record;
      if (hasCredit === false) return [{ label: 'Crédito', value: 'No tiene' }];
      return [
        { label: 'Situación', value: situation },
        { label: 'Tipo de crédito', value: kind },
        { label: 'Otorgado el', value: openedOn && formatDay(openedOn) },
      ];
    },
  },
  {
    field: 'housingAccount',
    route: 'findHousingAccount',
    title: 'Infonavit · Subcuenta',
    about: 'Saldo para vivienda y último patrón',
    factsOf: ({ housingAccount }) => {
      if (!isFound(housingAccount)) return [];
      const { totalBalance, employerName } = housingAccount.record;
      return [
        { label: 'Saldo', value: totalBalance && formatPesos(totalBalance) },
        { label: 'Patrón', value: employerName },
      ];
    },
  },
  {
    field: 'licences',
    route: 'searchLicences',
    title: 'SEP · Cédulas',
    about: 'Profesión y escuela',
    factsOf: ({ licences }) => {
      if (!isFound(licences)) return [];
      // The name may be written in another way than in the other registries, so each licence is shown with its own.
      return licences.records.map((licence) => ({
        label: `Cédula ${licence.number}`,
        value: [licence.title, licence.institution, licence.registrationYear, nameIn(licence)]
          .filter(Boolean)
          .join(', '),
      }));
    },
  },
];

interface Named {
  readonly names: string | null;
  readonly paternalSurname: string | null;
  readonly maternalSurname: string | null;
}

const nameIn = ({ names, paternalSurname, maternalSurname }: Named): string =>
  [names, paternalSurname, maternalSurname].filter(Boolean).join(' ');
