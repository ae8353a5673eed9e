export { type Database, inTransaction, openDatabase, type Sql, type Transaction } from '../../src/store/driver/sql.ts';
