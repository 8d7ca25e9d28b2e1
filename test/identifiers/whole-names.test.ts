import { hasWordsOf } from '../../src/identifiers/names';

const person = (names: string, paternalSurname: string, maternalSurname: string | null = null) => ({
  names,
  paternalSurname,
  maternalSurname,
});

describe('a whole name in one text', () => {
  it.each([
    ['PÉREZ LÓPEZ JUAN', person('JUAN', 'PEREZ', 'LOPEZ')],
    ['Pérez López, Juan', person('JUAN', 'PÉREZ', 'LÓPEZ')],
    ['PEREZ/LOPEZ/JUAN', person('JUAN', 'PEREZ', 'LOPEZ')],
    ['PEREZ$LOPEZ$JUAN', person('JUAN', 'PEREZ', 'LOPEZ')],
    ['PEREZ LOPEZ; JUAN', person('JUAN', 'PEREZ', 'LOPEZ')],
    ['MU/OZ PEÑA ANA', person('ANA', 'MUÑOZ', 'PEÑA')],
    ['MA.DEL CARMEN PEÑA', person('MARÍA DEL CARMEN', 'PEÑA', 'RUIZ')],
    ['MA.FERNANDA PEÑA', person('MARÍA FERNANDA', 'PEÑA', 'RUIZ')],
    ['M. FERNANDA MUNOZ', person('MARÍA FERNANDA', 'MUÑOZ')],
    ['ANA DELACRUZ', person('ANA', 'DE LA CRUZ', 'RUIZ')],
    ['ANA DE LA CRUZ', person('ANA', 'DELACRUZ', 'RUIZ')],
    ['ANA MC GREGOR', person('ANA', 'MCGREGOR', 'RUIZ')],
    ["ANA O'FARRIL", person('ANA', 'O FARRIL', 'RUIZ')],
    ['ANA O FARRIL', person('ANA', "O'FARRIL", 'RUIZ')],
    ['1234 JUAN PEREZ LOPEZ', person('JUAN', 'PEREZ', 'LOPEZ')],
    ['LIC. JUAN PEREZ LOPEZ (BAJA)', person('JUAN', 'PEREZ', 'LOPEZ')],
    ['JUAN PEREZ X', person('JUAN', 'PEREZ')],
    ['JUAN PEREZ N/A', person('JUAN', 'PEREZ', 'X')],
    ['JUAN PEREZ LOPEZ', person('JUAN', 'PEREZ')],
    ['JUAN CARLOS PEREZ LOPEZ', person('JUAN', 'PEREZ')],
    ['Gerardo Flores Hernández, segundo puesto', person('GERARDO', 'FLORES', 'HERNÁNDEZ')],
    ['JUAN PEREZ', person('JUAN CARLOS', 'PEREZ', 'LOPEZ')],
    ['MORALES RUIZ JUANA', person('JUANA', 'MORALES VDA DE PEREZ', 'RUIZ')],
    ['MORALES VDA DE PEREZ JUANA', person('JUANA', 'MORALES', 'RUIZ')],
  ])('may be written as %s', (whole, name) => {
    expect(hasWordsOf(whole, name)).toBe(true);
  });

  it.each([
    ['PÉREZ LÓPEZ ANA', person('JUAN', 'PEREZ', 'LOPEZ')],
    ['JUAN PEREZ RUIZ', person('JUAN', 'PEREZ', 'LOPEZ')],
    ['JUAN GARCIA GARCIA', person('JUAN', 'GARCIA', 'LOPEZ')],
    ['ANA GARCIA LOPEZ', person('MARIANA', 'GARCIA', 'LOPEZ')],
    ['MORALES VDA DE PEREZ JUANA', person('MARIA', 'MORALES', 'RUIZ')],
    ['JUAN CARLOS PEREZ RUIZ', person('JUAN', 'PEREZ', 'LOPEZ')],
  ])('has another word than the name: %s', (whole, name) => {
    expect(hasWordsOf(whole, name)).toBe(false);
  });
});
