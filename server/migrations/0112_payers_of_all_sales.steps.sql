call fill_payers_of_sales();
